// Package embed turns texts into unit vectors whose cosine says how close two
// texts are in meaning.
//
// It owns the model: its files (the container of 8-bit weights that the build
// embeds, or a folder of the user's with config.json, tokenizer.json and
// model.safetensors), the WordPiece tokenizer, the forward pass of a BERT
// encoder with kernels for AVX-512, AVX2 and NEON and a portable one, and the
// client of an Ollama or OpenAI-compatible endpoint. Around any of these an
// [Embedder] adds a cache, batches, windows for long texts and a circuit
// breaker.
//
// It never stores a vector, never returns a zero, infinite or NaN one, never
// fetches a model, and starts no goroutine that outlives the call. Nothing is
// parsed or built before the first use.
//
// Start with [Builtin], [OpenFolder] or [Endpoint], and give the [Model] to
// [New]. Vectors of different models, or of one model under different hashes,
// must not be compared; [Info] carries what to store beside them.
//
// DESIGN.md beside this file describes the container and the forward pass.
package embed
