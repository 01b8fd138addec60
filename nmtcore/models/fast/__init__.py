"""The laid-out copies of weights with which a model decodes quickly. The readable models do not need it."""
