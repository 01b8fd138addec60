"""The gates of a deep recurrent decoder, layer by layer."""
