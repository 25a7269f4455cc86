"""What makes positions, tested like what turns vectors by them: padding, packing, chunks, ranks, images."""
