#include "textflag.h"

// R0 to R5 walk the six rows of A, R9 the panel, R13 counts steps. V0 to V23
// hold the sums, V24 to V27 one line of the panel.
#define ROW(p, t, c0, c1, c2, c3) \
	VLD1R.P 4(p), [t.S4]; \
	VFMLA   V24.S4, t.S4, c0.S4; \
	VFMLA   V25.S4, t.S4, c1.S4; \
	VFMLA   V26.S4, t.S4, c2.S4; \
	VFMLA   V27.S4, t.S4, c3.S4

#define COPY(c0, c1, c2, c3) \
	VMOV V0.B16, c0.B16; \
	VMOV V1.B16, c1.B16; \
	VMOV V2.B16, c2.B16; \
	VMOV V3.B16, c3.B16

#define STORE(c0, c1, c2, c3) \
	VST1 [c0.S4, c1.S4, c2.S4, c3.S4], (R11); \
	ADD  R12, R11, R11

// func tileNEON(a *float32, lda uintptr, b, bias, c *float32, ldc, k, ahead uintptr)
TEXT ·tileNEON(SB), NOSPLIT, $0-64
	MOVD a+0(FP), R0
	MOVD lda+8(FP), R8
	MOVD b+16(FP), R9
	MOVD bias+24(FP), R10
	MOVD c+32(FP), R11
	MOVD ldc+40(FP), R12
	MOVD k+48(FP), R13
	ADD  R8, R0, R1
	ADD  R8, R1, R2
	ADD  R8, R2, R3
	ADD  R8, R3, R4
	ADD  R8, R4, R5
	VLD1 (R10), [V0.S4, V1.S4, V2.S4, V3.S4]
	COPY(V4, V5, V6, V7)
	COPY(V8, V9, V10, V11)
	COPY(V12, V13, V14, V15)
	COPY(V16, V17, V18, V19)
	COPY(V20, V21, V22, V23)

loop:
	VLD1.P 64(R9), [V24.S4, V25.S4, V26.S4, V27.S4]
	ROW(R0, V28, V0, V1, V2, V3)
	ROW(R1, V29, V4, V5, V6, V7)
	ROW(R2, V30, V8, V9, V10, V11)
	ROW(R3, V31, V12, V13, V14, V15)
	ROW(R4, V28, V16, V17, V18, V19)
	ROW(R5, V29, V20, V21, V22, V23)
	SUBS   $1, R13, R13
	BNE    loop

	STORE(V0, V1, V2, V3)
	STORE(V4, V5, V6, V7)
	STORE(V8, V9, V10, V11)
	STORE(V12, V13, V14, V15)
	STORE(V16, V17, V18, V19)
	STORE(V20, V21, V22, V23)
	RET
