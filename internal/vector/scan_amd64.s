//go:build !purego

#include "textflag.h"

// A row is byte k of the codes of the group's 64 items. Its low and high
// halves pick bytes from the row's two tables (VPSHUFB). A pair of picked bytes
// adds up to at most 254, so they are added as bytes first; sums are kept in 16
// bits. The sum of the whole words gathers the even items plus 256 times the
// odd ones, the sum of the high bytes gathers the odd ones; taking the second,
// shifted, from the first leaves the even ones, all modulo 2^16.

// SCORE8 turns the eight sums at off*2(BX) into scores and their verdict into
// the byte off/8(BX) of keep. Y8 step, Y9 base, Y10 shift, Y11 floor.
#define SCORE8(off) \
	VPMOVZXWD (off*2)(BX), Y0 \
	VCVTDQ2PS Y0, Y0            \
	VMULPS    Y8, Y0, Y0        \
	VADDPS    Y9, Y0, Y0        \
	VMULPS    (off*4)(R8), Y0, Y0 \
	VADDPS    (off*4)(R9), Y0, Y0 \
	VADDPS    Y10, Y0, Y0       \
	VMOVUPS   Y0, (off*4)(R11)  \
	VCMPPS    $13, Y11, Y0, Y1  \
	VMOVMSKPS Y1, AX            \
	MOVB      AX, (128+off/8)(BX)

#define SCORE64 \
	MOVQ         factor+24(FP), R8  \
	MOVQ         offset+32(FP), R9  \
	MOVQ         e+40(FP), R10      \
	MOVQ         scores+48(FP), R11 \
	VBROADCASTSS (R10), Y8          \
	VBROADCASTSS 4(R10), Y9         \
	VBROADCASTSS 8(R10), Y10        \
	VBROADCASTSS 12(R10), Y11       \
	SCORE8(0)                       \
	SCORE8(8)                       \
	SCORE8(16)                      \
	SCORE8(24)                      \
	SCORE8(32)                      \
	SCORE8(40)                      \
	SCORE8(48)                      \
	SCORE8(56)                      \
	MOVQ         128(BX), AX        \
	VZEROUPPER

// func scanAVX512(codes, lut *byte, rows int, factor, offset *[64]float32, e *estimate, scores *[64]float32) uint64
TEXT ·scanAVX512(SB), NOSPLIT, $136-64
	MOVQ         codes+0(FP), SI
	MOVQ         lut+8(FP), DI
	MOVQ         rows+16(FP), CX
	LEAQ         sums-136(SP), BX
	MOVL         $0x0f0f0f0f, AX
	VPBROADCASTD AX, Z15
	VPXORQ       Z0, Z0, Z0
	VPXORQ       Z1, Z1, Z1

loop:
	VMOVDQU64       (SI), Z2
	VBROADCASTI32X4 (DI), Z4
	VBROADCASTI32X4 16(DI), Z5
	VPSRLW          $4, Z2, Z3
	VPANDQ          Z15, Z2, Z2
	VPANDQ          Z15, Z3, Z3
	VPSHUFB         Z2, Z4, Z4
	VPSHUFB         Z3, Z5, Z5
	VPADDB          Z5, Z4, Z4
	VPSRLW          $8, Z4, Z5
	VPADDW          Z4, Z0, Z0
	VPADDW          Z5, Z1, Z1
	ADDQ            $64, SI
	ADDQ            $32, DI
	SUBQ            $1, CX
	JNE             loop

	VPSLLW        $8, Z1, Z2
	VPSUBW        Z2, Z0, Z0
	VPUNPCKLWD    Z1, Z0, Z2
	VPUNPCKHWD    Z1, Z0, Z3
	VMOVDQU       X2, (BX)
	VMOVDQU       X3, 16(BX)
	VEXTRACTI32X4 $1, Z2, 32(BX)
	VEXTRACTI32X4 $1, Z3, 48(BX)
	VEXTRACTI32X4 $2, Z2, 64(BX)
	VEXTRACTI32X4 $2, Z3, 80(BX)
	VEXTRACTI32X4 $3, Z2, 96(BX)
	VEXTRACTI32X4 $3, Z3, 112(BX)
	SCORE64
	MOVQ AX, ret+56(FP)
	RET

// func scanAVX2(codes, lut *byte, rows int, factor, offset *[64]float32, e *estimate, scores *[64]float32) uint64
TEXT ·scanAVX2(SB), NOSPLIT, $136-64
	MOVQ         codes+0(FP), SI
	MOVQ         lut+8(FP), DI
	MOVQ         rows+16(FP), CX
	LEAQ         sums-136(SP), BX
	MOVL         $0x0f0f0f0f, AX
	VMOVD        AX, X15
	VPBROADCASTD X15, Y15
	VPXOR        Y0, Y0, Y0
	VPXOR        Y1, Y1, Y1
	VPXOR        Y2, Y2, Y2
	VPXOR        Y3, Y3, Y3

loop:
	VBROADCASTI128 (DI), Y4
	VBROADCASTI128 16(DI), Y5
	VMOVDQU        (SI), Y6
	VMOVDQU        32(SI), Y8
	VPSRLW         $4, Y6, Y7
	VPSRLW         $4, Y8, Y9
	VPAND          Y15, Y6, Y6
	VPAND          Y15, Y7, Y7
	VPAND          Y15, Y8, Y8
	VPAND          Y15, Y9, Y9
	VPSHUFB        Y6, Y4, Y6
	VPSHUFB        Y7, Y5, Y7
	VPSHUFB        Y8, Y4, Y8
	VPSHUFB        Y9, Y5, Y9
	VPADDB         Y7, Y6, Y6
	VPADDB         Y9, Y8, Y8
	VPSRLW         $8, Y6, Y7
	VPSRLW         $8, Y8, Y9
	VPADDW         Y6, Y0, Y0
	VPADDW         Y7, Y1, Y1
	VPADDW         Y8, Y2, Y2
	VPADDW         Y9, Y3, Y3
	ADDQ           $64, SI
	ADDQ           $32, DI
	SUBQ           $1, CX
	JNE            loop

	VPSLLW       $8, Y1, Y4
	VPSUBW       Y4, Y0, Y0
	VPSLLW       $8, Y3, Y4
	VPSUBW       Y4, Y2, Y2
	VPUNPCKLWD   Y1, Y0, Y4
	VPUNPCKHWD   Y1, Y0, Y5
	VPUNPCKLWD   Y3, Y2, Y6
	VPUNPCKHWD   Y3, Y2, Y7
	VMOVDQU      X4, (BX)
	VMOVDQU      X5, 16(BX)
	VEXTRACTI128 $1, Y4, 32(BX)
	VEXTRACTI128 $1, Y5, 48(BX)
	VMOVDQU      X6, 64(BX)
	VMOVDQU      X7, 80(BX)
	VEXTRACTI128 $1, Y6, 96(BX)
	VEXTRACTI128 $1, Y7, 112(BX)
	SCORE64
	MOVQ AX, ret+56(FP)
	RET
