"""Build, run and complete queries; ask ready questions."""
