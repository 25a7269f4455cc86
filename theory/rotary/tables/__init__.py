"""Facts about configurations as tables: allowed values, refused families, fields that are left out."""
