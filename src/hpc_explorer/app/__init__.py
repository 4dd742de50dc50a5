"""One open workspace and everything a user does with it, for the window and the command line alike."""
