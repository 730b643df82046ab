"""What is asked of each classical test: data with a known truth, and whose p-values are held beside ours."""
