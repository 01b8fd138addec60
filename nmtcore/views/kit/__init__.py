"""What pictures share: DOM, colours, layout, tokens, the player, saving. JavaScript but for the messages."""
