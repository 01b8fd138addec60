"""No attention: one context vector for the whole sentence."""
