//go:build !purego

#include "textflag.h"

// See scan_amd64.s for how the sums are kept.

#define ROW16(row, words, odds) \
	VUSHR $4, row.B16, V20.B16           \
	VAND  V31.B16, row.B16, V21.B16      \
	VTBL  V21.B16, [V28.B16], V21.B16    \
	VTBL  V20.B16, [V29.B16], V20.B16    \
	VADD  V20.B16, V21.B16, V21.B16      \
	VUSHR $8, V21.H8, V20.H8             \
	VADD  V21.H8, words.H8, words.H8     \
	VADD  V20.H8, odds.H8, odds.H8

#define STORE16(words, odds) \
	VSHL  $8, odds.H8, V20.H8             \
	VSUB  V20.H8, words.H8, words.H8      \
	VZIP1 odds.H8, words.H8, V20.H8       \
	VZIP2 odds.H8, words.H8, V21.H8       \
	VST1.P [V20.H8, V21.H8], 32(R3)

// func sumNEON(codes, lut *byte, rows int, sums *[64]uint16)
TEXT ·sumNEON(SB), NOSPLIT, $0-32
	MOVD  codes+0(FP), R0
	MOVD  lut+8(FP), R1
	MOVD  rows+16(FP), R2
	MOVD  sums+24(FP), R3
	VMOVI $15, V31.B16
	VEOR  V8.B16, V8.B16, V8.B16
	VEOR  V9.B16, V9.B16, V9.B16
	VEOR  V10.B16, V10.B16, V10.B16
	VEOR  V11.B16, V11.B16, V11.B16
	VEOR  V12.B16, V12.B16, V12.B16
	VEOR  V13.B16, V13.B16, V13.B16
	VEOR  V14.B16, V14.B16, V14.B16
	VEOR  V15.B16, V15.B16, V15.B16

loop:
	VLD1.P 64(R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 32(R1), [V28.B16, V29.B16]
	ROW16(V0, V8, V9)
	ROW16(V1, V10, V11)
	ROW16(V2, V12, V13)
	ROW16(V3, V14, V15)
	SUBS   $1, R2
	BNE    loop

	STORE16(V8, V9)
	STORE16(V10, V11)
	STORE16(V12, V13)
	STORE16(V14, V15)
	RET
