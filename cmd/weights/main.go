// Command weights turns a folder with a BERT model into the file of 8-bit
// weights that the build embeds: weights IN_DIR OUT_FILE [ID].
package main

import (
	"context"
	"fmt"
	"os"

	"chitta/internal/embed"
)

func main() {
	if err := embed.Convert(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "weights:", err)
		os.Exit(1)
	}
}
