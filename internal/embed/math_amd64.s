#include "textflag.h"

// Constants of both widths, one value each, broadcast on use.
DATA ·mathConst+0(SB)/4, $0x3fb8aa3b  // log2(e)
DATA ·mathConst+4(SB)/4, $0x39218489  // ln(2)^6/6!
DATA ·mathConst+8(SB)/4, $0x3aaec3ff  // ln(2)^5/5!
DATA ·mathConst+12(SB)/4, $0x3c1d955b // ln(2)^4/4!
DATA ·mathConst+16(SB)/4, $0x3d635847 // ln(2)^3/3!
DATA ·mathConst+20(SB)/4, $0x3e75fdf0 // ln(2)^2/2!
DATA ·mathConst+24(SB)/4, $0x3f317218 // ln(2)
DATA ·mathConst+28(SB)/4, $0x3f800000 // 1
DATA ·mathConst+32(SB)/4, $0xc2ae0000 // -87, below which e^x counts as zero
DATA ·mathConst+36(SB)/4, $0x7fffffff // all but the sign
DATA ·mathConst+40(SB)/4, $0xbf000000 // -1/2
DATA ·mathConst+44(SB)/4, $0x3e6d3388 // p/sqrt(2) of the erf below
DATA ·mathConst+48(SB)/4, $0x3f07dc22 // a5/2
DATA ·mathConst+52(SB)/4, $0xbf3a00e3 // a4/2
DATA ·mathConst+56(SB)/4, $0x3f35f0e3 // a3/2
DATA ·mathConst+60(SB)/4, $0xbe11a98e // a2/2
DATA ·mathConst+64(SB)/4, $0x3e027906 // a1/2
GLOBL ·mathConst(SB), RODATA|NOPTR, $68

// LOADEXP puts the constants of e^x into registers 16 to 24.
#define LOADEXP512 \
	VBROADCASTSS ·mathConst+0(SB), Z16; \
	VBROADCASTSS ·mathConst+4(SB), Z17; \
	VBROADCASTSS ·mathConst+8(SB), Z18; \
	VBROADCASTSS ·mathConst+12(SB), Z19; \
	VBROADCASTSS ·mathConst+16(SB), Z20; \
	VBROADCASTSS ·mathConst+20(SB), Z21; \
	VBROADCASTSS ·mathConst+24(SB), Z22; \
	VBROADCASTSS ·mathConst+28(SB), Z23; \
	VBROADCASTSS ·mathConst+32(SB), Z24

// EXP512 turns x ≤ 0 into e^x: 2^n times a polynomial on the rest, which lies
// between -1/2 and 1/2. It uses Z8 to Z10 and K1.
#define EXP512(x) \
	VCMPPS      $13, Z24, x, K1; \
	VMULPS      Z16, x, Z8; \
	VRNDSCALEPS $8, Z8, Z9; \
	VSUBPS      Z9, Z8, Z8; \
	VMOVAPS     Z17, Z10; \
	VFMADD213PS Z18, Z8, Z10; \
	VFMADD213PS Z19, Z8, Z10; \
	VFMADD213PS Z20, Z8, Z10; \
	VFMADD213PS Z21, Z8, Z10; \
	VFMADD213PS Z22, Z8, Z10; \
	VFMADD213PS Z23, Z8, Z10; \
	VSCALEFPS.Z Z9, Z10, K1, x

// func softmaxRowAVX512(x *float32, n uintptr)
//
// n is a positive multiple of 16.
TEXT ·softmaxRowAVX512(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	SHRQ $4, CX
	LOADEXP512

	MOVQ    DI, SI
	MOVQ    CX, DX
	VMOVUPS (SI), Z0

max512:
	VMAXPS (SI), Z0, Z0
	ADDQ   $64, SI
	DECQ   DX
	JNZ    max512

	VEXTRACTF64X4 $1, Z0, Y1
	VMAXPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VMAXPS        X1, X0, X0
	VPERMILPS     $0x4e, X0, X1
	VMAXPS        X1, X0, X0
	VPERMILPS     $0xb1, X0, X1
	VMAXPS        X1, X0, X0
	VBROADCASTSS  X0, Z0

	VPXORQ Z2, Z2, Z2
	MOVQ   DI, SI
	MOVQ   CX, DX

exp512:
	VMOVUPS (SI), Z1
	VSUBPS  Z0, Z1, Z1
	EXP512(Z1)
	VADDPS  Z1, Z2, Z2
	VMOVUPS Z1, (SI)
	ADDQ    $64, SI
	DECQ    DX
	JNZ     exp512

	VEXTRACTF64X4 $1, Z2, Y1
	VADDPS        Y1, Y2, Y2
	VEXTRACTF128  $1, Y2, X1
	VADDPS        X1, X2, X2
	VPERMILPS     $0x4e, X2, X1
	VADDPS        X1, X2, X2
	VPERMILPS     $0xb1, X2, X1
	VADDPS        X1, X2, X2
	VBROADCASTSS  X2, Z2
	VDIVPS        Z2, Z23, Z2

scale512:
	VMULPS  (DI), Z2, Z1
	VMOVUPS Z1, (DI)
	ADDQ    $64, DI
	DECQ    CX
	JNZ     scale512
	VZEROUPPER
	RET

// GELU is max(x,0) - |x|·q with q = (1 - erf(|x|/√2))/2, and that by formula
// 7.1.26 of Abramowitz and Stegun: t(a1 + … + a5 t⁴)/2 · e^(-x²/2) with
// t = 1/(1 + p|x|/√2), off by at most 1.5e-7.

// func geluRowAVX512(x *float32, n uintptr)
//
// n is a positive multiple of 16.
TEXT ·geluRowAVX512(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	SHRQ $4, CX
	LOADEXP512
	VBROADCASTSS ·mathConst+36(SB), Z25
	VBROADCASTSS ·mathConst+40(SB), Z26
	VBROADCASTSS ·mathConst+44(SB), Z27
	VBROADCASTSS ·mathConst+48(SB), Z28
	VBROADCASTSS ·mathConst+52(SB), Z29
	VBROADCASTSS ·mathConst+56(SB), Z30
	VBROADCASTSS ·mathConst+60(SB), Z31
	VBROADCASTSS ·mathConst+64(SB), Z15
	VPXORQ       Z14, Z14, Z14

gelu512:
	VMOVUPS     (DI), Z0
	VPANDQ      Z25, Z0, Z1    // |x|
	VMOVAPS     Z27, Z2
	VFMADD213PS Z23, Z1, Z2    // 1 + p|x|
	VDIVPS      Z2, Z23, Z2    // t
	VMULPS      Z0, Z0, Z3
	VMULPS      Z26, Z3, Z3    // -x²/2
	EXP512(Z3)
	VMOVAPS     Z28, Z4
	VFMADD213PS Z29, Z2, Z4
	VFMADD213PS Z30, Z2, Z4
	VFMADD213PS Z31, Z2, Z4
	VFMADD213PS Z15, Z2, Z4
	VMULPS      Z2, Z4, Z4
	VMULPS      Z3, Z4, Z4     // q
	VMAXPS      Z14, Z0, Z0
	VFNMADD231PS Z1, Z4, Z0
	VMOVUPS     Z0, (DI)
	ADDQ        $64, DI
	DECQ        CX
	JNZ         gelu512
	VZEROUPPER
	RET

// The same with eight values at a time. Sixteen registers do not hold all
// constants: Y8 to Y15 hold those of e^x, the others are read again each time.
#define LOADEXP256 \
	VBROADCASTSS ·mathConst+0(SB), Y8; \
	VBROADCASTSS ·mathConst+4(SB), Y9; \
	VBROADCASTSS ·mathConst+8(SB), Y10; \
	VBROADCASTSS ·mathConst+12(SB), Y11; \
	VBROADCASTSS ·mathConst+16(SB), Y12; \
	VBROADCASTSS ·mathConst+20(SB), Y13; \
	VBROADCASTSS ·mathConst+24(SB), Y14; \
	VBROADCASTSS ·mathConst+28(SB), Y15

// EXP256 uses Y4 to Y7. The power of two is made by shifting n, as an integer,
// into the exponent of 1.0.
#define EXP256(x) \
	VBROADCASTSS ·mathConst+32(SB), Y7; \
	VCMPPS       $13, Y7, x, Y7; \
	VMULPS       Y8, x, Y4; \
	VROUNDPS     $8, Y4, Y5; \
	VSUBPS       Y5, Y4, Y4; \
	VMOVAPS      Y9, Y6; \
	VFMADD213PS  Y10, Y4, Y6; \
	VFMADD213PS  Y11, Y4, Y6; \
	VFMADD213PS  Y12, Y4, Y6; \
	VFMADD213PS  Y13, Y4, Y6; \
	VFMADD213PS  Y14, Y4, Y6; \
	VFMADD213PS  Y15, Y4, Y6; \
	VCVTPS2DQ    Y5, Y5; \
	VPSLLD       $23, Y5, Y5; \
	VPADDD       Y15, Y5, Y5; \
	VMULPS       Y5, Y6, Y6; \
	VANDPS       Y7, Y6, x

// func softmaxRowAVX2(x *float32, n uintptr)
//
// n is a positive multiple of 8.
TEXT ·softmaxRowAVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	SHRQ $3, CX
	LOADEXP256

	MOVQ    DI, SI
	MOVQ    CX, DX
	VMOVUPS (SI), Y0

max256:
	VMAXPS (SI), Y0, Y0
	ADDQ   $32, SI
	DECQ   DX
	JNZ    max256

	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VPERMILPS    $0x4e, X0, X1
	VMAXPS       X1, X0, X0
	VPERMILPS    $0xb1, X0, X1
	VMAXPS       X1, X0, X0
	VBROADCASTSS X0, Y0

	VXORPS Y2, Y2, Y2
	MOVQ   DI, SI
	MOVQ   CX, DX

exp256:
	VMOVUPS (SI), Y1
	VSUBPS  Y0, Y1, Y1
	EXP256(Y1)
	VADDPS  Y1, Y2, Y2
	VMOVUPS Y1, (SI)
	ADDQ    $32, SI
	DECQ    DX
	JNZ     exp256

	VEXTRACTF128 $1, Y2, X1
	VADDPS       X1, X2, X2
	VPERMILPS    $0x4e, X2, X1
	VADDPS       X1, X2, X2
	VPERMILPS    $0xb1, X2, X1
	VADDPS       X1, X2, X2
	VBROADCASTSS X2, Y2
	VDIVPS       Y2, Y15, Y2

scale256:
	VMULPS  (DI), Y2, Y1
	VMOVUPS Y1, (DI)
	ADDQ    $32, DI
	DECQ    CX
	JNZ     scale256
	VZEROUPPER
	RET

// func geluRowAVX2(x *float32, n uintptr)
//
// n is a positive multiple of 8.
TEXT ·geluRowAVX2(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	SHRQ $3, CX
	LOADEXP256

gelu256:
	VMOVUPS      (DI), Y0
	VBROADCASTSS ·mathConst+36(SB), Y1
	VANDPS       Y1, Y0, Y1            // |x|
	VBROADCASTSS ·mathConst+44(SB), Y2
	VFMADD213PS  Y15, Y1, Y2           // 1 + p|x|
	VDIVPS       Y2, Y15, Y2           // t
	VBROADCASTSS ·mathConst+40(SB), Y3
	VMULPS       Y0, Y3, Y3
	VMULPS       Y0, Y3, Y3            // -x²/2
	EXP256(Y3)
	VBROADCASTSS ·mathConst+48(SB), Y4
	VBROADCASTSS ·mathConst+52(SB), Y5
	VFMADD213PS  Y5, Y2, Y4
	VBROADCASTSS ·mathConst+56(SB), Y5
	VFMADD213PS  Y5, Y2, Y4
	VBROADCASTSS ·mathConst+60(SB), Y5
	VFMADD213PS  Y5, Y2, Y4
	VBROADCASTSS ·mathConst+64(SB), Y5
	VFMADD213PS  Y5, Y2, Y4
	VMULPS       Y2, Y4, Y4
	VMULPS       Y3, Y4, Y4            // q
	VXORPS       Y5, Y5, Y5
	VMAXPS       Y5, Y0, Y0
	VFNMADD231PS Y1, Y4, Y0
	VMOVUPS      Y0, (DI)
	ADDQ         $32, DI
	DECQ         CX
	JNZ          gelu256
	VZEROUPPER
	RET
