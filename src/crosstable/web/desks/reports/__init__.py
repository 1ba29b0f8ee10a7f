"""Reports of the lab: officers publish and withdraw them."""
