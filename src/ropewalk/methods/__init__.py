"""The methods: what each needs, computes, checks and says of itself."""
