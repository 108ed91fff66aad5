#include "textflag.h"

// Registers of both kernels: SI, R8, R9, R10 point at rows 0, 3, 6, 9 of A,
// which lie DX bytes apart; DI walks the panel; CX counts steps. The loop is
// unrolled four times, and the steps that are left follow one by one. Each
// round of the loop also fetches four cache lines from R13 on into the second
// level: the panel that comes next, which waits in main memory.

#define FETCH \
	PREFETCHT1 (R13); \
	PREFETCHT1 64(R13); \
	PREFETCHT1 128(R13); \
	PREFETCHT1 192(R13); \
	ADDQ       $256, R13

// ROW512 adds the product of one value of A and one line of the panel.
#define ROW512(value, t, c0, c1) \
	VBROADCASTSS value, t; \
	VFMADD231PS  Z24, t, c0; \
	VFMADD231PS  Z25, t, c1

#define STEP512(u) \
	VMOVUPS (128*u)(DI), Z24; \
	VMOVUPS (128*u+64)(DI), Z25; \
	ROW512((4*u)(SI), Z26, Z0, Z1); \
	ROW512((4*u)(SI)(DX*1), Z27, Z2, Z3); \
	ROW512((4*u)(SI)(DX*2), Z28, Z4, Z5); \
	ROW512((4*u)(R8), Z29, Z6, Z7); \
	ROW512((4*u)(R8)(DX*1), Z26, Z8, Z9); \
	ROW512((4*u)(R8)(DX*2), Z27, Z10, Z11); \
	ROW512((4*u)(R9), Z28, Z12, Z13); \
	ROW512((4*u)(R9)(DX*1), Z29, Z14, Z15); \
	ROW512((4*u)(R9)(DX*2), Z26, Z16, Z17); \
	ROW512((4*u)(R10), Z27, Z18, Z19); \
	ROW512((4*u)(R10)(DX*1), Z28, Z20, Z21); \
	ROW512((4*u)(R10)(DX*2), Z29, Z22, Z23)

#define NEXT512(n) \
	ADDQ $(128*n), DI; \
	ADDQ $(4*n), SI; \
	ADDQ $(4*n), R8; \
	ADDQ $(4*n), R9; \
	ADDQ $(4*n), R10

#define STORE512(c0, c1) \
	VMOVUPS c0, (R11); \
	VMOVUPS c1, 64(R11); \
	ADDQ    R12, R11

// func tileAVX512(a *float32, lda uintptr, b, bias, c *float32, ldc, k, ahead uintptr)
TEXT ·tileAVX512(SB), NOSPLIT, $0-64
	MOVQ a+0(FP), SI
	MOVQ lda+8(FP), DX
	MOVQ b+16(FP), DI
	MOVQ bias+24(FP), BX
	MOVQ c+32(FP), R11
	MOVQ ldc+40(FP), R12
	MOVQ k+48(FP), CX
	MOVQ ahead+56(FP), R13
	LEAQ (DX)(DX*2), AX
	LEAQ (SI)(AX*1), R8
	LEAQ (R8)(AX*1), R9
	LEAQ (R9)(AX*1), R10

	VMOVUPS (BX), Z0
	VMOVUPS 64(BX), Z1
	VMOVAPS Z0, Z2
	VMOVAPS Z1, Z3
	VMOVAPS Z0, Z4
	VMOVAPS Z1, Z5
	VMOVAPS Z0, Z6
	VMOVAPS Z1, Z7
	VMOVAPS Z0, Z8
	VMOVAPS Z1, Z9
	VMOVAPS Z0, Z10
	VMOVAPS Z1, Z11
	VMOVAPS Z0, Z12
	VMOVAPS Z1, Z13
	VMOVAPS Z0, Z14
	VMOVAPS Z1, Z15
	VMOVAPS Z0, Z16
	VMOVAPS Z1, Z17
	VMOVAPS Z0, Z18
	VMOVAPS Z1, Z19
	VMOVAPS Z0, Z20
	VMOVAPS Z1, Z21
	VMOVAPS Z0, Z22
	VMOVAPS Z1, Z23

	MOVQ CX, BX
	SHRQ $2, CX
	JZ   tail512

four512:
	FETCH
	STEP512(0)
	STEP512(1)
	STEP512(2)
	STEP512(3)
	NEXT512(4)
	DECQ CX
	JNZ  four512

tail512:
	ANDQ $3, BX
	JZ   store512

one512:
	STEP512(0)
	NEXT512(1)
	DECQ BX
	JNZ  one512

store512:
	STORE512(Z0, Z1)
	STORE512(Z2, Z3)
	STORE512(Z4, Z5)
	STORE512(Z6, Z7)
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	STORE512(Z16, Z17)
	STORE512(Z18, Z19)
	STORE512(Z20, Z21)
	STORE512(Z22, Z23)
	VZEROUPPER
	RET

#define ROW256(value, t, c0, c1) \
	VBROADCASTSS value, t; \
	VFMADD231PS  Y12, t, c0; \
	VFMADD231PS  Y13, t, c1

#define STEP256(u) \
	VMOVUPS (64*u)(DI), Y12; \
	VMOVUPS (64*u+32)(DI), Y13; \
	ROW256((4*u)(SI), Y14, Y0, Y1); \
	ROW256((4*u)(SI)(DX*1), Y15, Y2, Y3); \
	ROW256((4*u)(SI)(DX*2), Y14, Y4, Y5); \
	ROW256((4*u)(R8), Y15, Y6, Y7); \
	ROW256((4*u)(R8)(DX*1), Y14, Y8, Y9); \
	ROW256((4*u)(R8)(DX*2), Y15, Y10, Y11)

#define NEXT256(n) \
	ADDQ $(64*n), DI; \
	ADDQ $(4*n), SI; \
	ADDQ $(4*n), R8

#define STORE256(c0, c1) \
	VMOVUPS c0, (R11); \
	VMOVUPS c1, 32(R11); \
	ADDQ    R12, R11

// func tileAVX2(a *float32, lda uintptr, b, bias, c *float32, ldc, k, ahead uintptr)
TEXT ·tileAVX2(SB), NOSPLIT, $0-64
	MOVQ a+0(FP), SI
	MOVQ lda+8(FP), DX
	MOVQ b+16(FP), DI
	MOVQ bias+24(FP), BX
	MOVQ c+32(FP), R11
	MOVQ ldc+40(FP), R12
	MOVQ k+48(FP), CX
	MOVQ ahead+56(FP), R13
	LEAQ (DX)(DX*2), AX
	LEAQ (SI)(AX*1), R8

	VMOVUPS (BX), Y0
	VMOVUPS 32(BX), Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y1, Y3
	VMOVAPS Y0, Y4
	VMOVAPS Y1, Y5
	VMOVAPS Y0, Y6
	VMOVAPS Y1, Y7
	VMOVAPS Y0, Y8
	VMOVAPS Y1, Y9
	VMOVAPS Y0, Y10
	VMOVAPS Y1, Y11

	MOVQ CX, BX
	SHRQ $2, CX
	JZ   tail256

four256:
	FETCH
	STEP256(0)
	STEP256(1)
	STEP256(2)
	STEP256(3)
	NEXT256(4)
	DECQ CX
	JNZ  four256

tail256:
	ANDQ $3, BX
	JZ   store256

one256:
	STEP256(0)
	NEXT256(1)
	DECQ BX
	JNZ  one256

store256:
	STORE256(Y0, Y1)
	STORE256(Y2, Y3)
	STORE256(Y4, Y5)
	STORE256(Y6, Y7)
	STORE256(Y8, Y9)
	STORE256(Y10, Y11)
	VZEROUPPER
	RET
