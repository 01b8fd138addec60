"""The context vector of a model without attention: encoder states, C, decoder states."""
