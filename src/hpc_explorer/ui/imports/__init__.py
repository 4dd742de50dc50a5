"""Convert tables, and describe models by their files."""
