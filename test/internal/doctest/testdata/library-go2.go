package block

import (
	"errors"
	"fmt"

	informergen "github.com/informer-gen-lite/informer-gen-lite"
)

func print(err error) {
	// BLOCK
}
