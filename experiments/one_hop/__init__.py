"""One-hop number and letter prompts for language models: prompts, answers, and the heads that read them."""
