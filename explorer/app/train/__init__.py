"""Train joined: the session, its run, its views and its files. Made when Train is first shown."""
