"""What pictures share: DOM, colours, layout, tokens, the player, saving. JavaScript, except the messages."""
