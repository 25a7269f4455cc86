"""The pages of the site, with a module for each kind of page."""
