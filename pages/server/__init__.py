"""Code that runs once for the whole server: start-up, the classroom's address, security, delivery."""
