"""Whether what is said of a resource is as the shapes want it, in plain words, and how to mend it where it is not."""
