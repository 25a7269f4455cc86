"""What has to be known of a user's function before a record of one call says anything of others."""
