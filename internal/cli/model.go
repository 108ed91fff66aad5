package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"chitta/internal/meaning"
	"chitta/internal/mind"
)

func (a *app) modelCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "model", Short: "The embedding model, which finds by meaning", Args: noArgs,
		Example: "  chitta model status\n  chitta model verify\n  chitta model use none",
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	status := &cobra.Command{
		Use: "status", Short: "Which model is in use and how far it has come", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, a, "model_status", nil, func(st meaning.Status) {
				a.printf("%s\n", modelText(st))
				if st.Dims > 0 {
					a.printf("  %d dimensions, %s, %s on disk, cache %d hits and %d misses\n", st.Dims, madeBy(st), bytesText(st.Bytes), st.Hits, st.Misses)
				}
			})
		},
	}
	verify := verdict(a, "verify", "model_verify", "embedding", "Embed texts whose vectors are known and compare", func(out mind.VerifyOutput) bool { return out.OK }, func(out mind.VerifyOutput) {
		if out.OK {
			a.printf("the model gives the vectors it should\n")
		} else {
			a.printf("%s %s\n", a.red("broken:"), out.Problem)
		}
	})
	cmd.AddCommand(status, verify, a.modelUseCommand())
	return cmd
}

func (a *app) modelUseCommand() *cobra.Command {
	var in mind.ModelUseInput
	cmd := &cobra.Command{
		Use: "use MODEL", Short: "Choose the embedding model; the one before answers until it is ready",
		Long: "Choose the embedding model: builtin, none, a folder with config.json, tokenizer.json and\n" +
			"model.safetensors, ollama:NAME, or openai:URL with --name.\n\n" +
			"The model is tried first, then written to config.toml and used at once. Everything is\n" +
			"embedded again in the background, newest first; the model before answers meanwhile.",
		Args: exactly(1, "builtin, none, a folder, ollama:NAME or openai:URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Use = args[0]
			return show(cmd, a, "model_use", in, a.modelUsed)
		},
	}
	cmd.Flags().StringVar(&in.Name, "name", "", "the model's name at an openai endpoint")
	cmd.Flags().StringVar(&in.KeyVariable, "key-variable", "", "the daemon's environment variable with the endpoint's key")
	return cmd
}

func (a *app) modelUsed(out mind.ModelUseOutput) {
	st := out.Model
	if st.State == meaning.Off && st.ID == "" {
		a.printf("search by meaning is off, as %s says now; the vectors are kept\n", out.File)
		return
	}
	a.printf("using %s, %d dimensions, as %s says now\n", a.bold(st.ID), st.Dims, out.File)
	switch {
	case st.State == meaning.Ready:
		a.printf("everything is embedded already\n")
	case st.State != meaning.Embedding:
		a.printf("embedding begins in the background\n")
	case st.Answering != "":
		a.printf("embedding %s in the background; the old model (%s) answers meanwhile\n", textsText(st.Todo), st.Answering)
	default:
		a.printf("embedding %s in the background; what is not embedded yet is found by words\n", textsText(st.Todo))
	}
}

func modelText(st meaning.Status) string {
	meanwhile := ""
	if st.Answering != "" {
		meanwhile = "; " + st.Answering + " answers meanwhile"
	}
	switch st.State {
	case meaning.Off:
		return "off: " + st.Problem + meanwhile
	case meaning.Embedding:
		text := fmt.Sprintf("%s, embedding, %d of %s to go", st.ID, st.Todo, textsText(st.Total))
		if st.Problem != "" {
			text += ", held up: " + st.Problem
		}
		return text + meanwhile
	case meaning.Loading:
		return st.ID + ", loading" + meanwhile
	}
	return fmt.Sprintf("%s, %s", st.ID, plural(st.Vectors, "vector", "vectors"))
}

// madeBy says where a model is and what runs it.
func madeBy(st meaning.Status) string {
	if st.Kernel == "" {
		return st.Source
	}
	return st.Source + ", " + st.Kernel + " kernel"
}

func textsText(n int64) string {
	if n == 1 {
		return "1 text"
	}
	return thousands(n) + " texts"
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
