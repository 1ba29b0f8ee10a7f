"""What officers decide about a player: adjustments, lower floors after matches, prize floors."""
