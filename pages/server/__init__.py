"""What runs once for the whole server: start-up and the classroom's address."""
