"""What the server offers: tools and resources, whatever the protocol that carries them."""
