/* The only file that knows which compiler reads it: C11 on the host or OpenCL C 1.2 on a device. */
#ifndef RCITY_KERNEL_PORTABLE_H
#define RCITY_KERNEL_PORTABLE_H

#ifdef __OPENCL_VERSION__

#pragma OPENCL FP_CONTRACT OFF /* as on the host: sums and products are rounded separately */

#define RCITY_GLOBAL         __global
#define RCITY_LOCAL          __local    /* shared by a work-group */
#define RCITY_CONSTANT       __constant /* for tables, after `static`, and for pointers into them */
#define RCITY_KERNEL         static inline
#define RCITY_ALIGNED(bytes) __attribute__((aligned(bytes))) /* of a struct: it is read at once */
#define RCITY_KERNEL_APART   static inline /* not inlined on the host, to save its callers' registers */
#define RCITY_KERNEL_WITHIN  static inline /* always inlined on the host */
#define RCITY_KERNEL_CALLED  static __attribute__((noinline)) /* called on devices, whatever their compilers prefer */
typedef uchar rcity_u8;
typedef ushort rcity_u16;
typedef int rcity_i32;
typedef long rcity_i64;
typedef uint rcity_u32;
typedef ulong rcity_u64;
#define rcity_sqrt(x)          sqrt(x)
#define rcity_log10(x)         log10(x)
#define rcity_exp(x)           exp(x)
#define rcity_expm1(x)         expm1(x)
#define rcity_pow(x, y)        pow(x, y)
#define rcity_sin(x)           sin(x)
#define rcity_cos(x)           cos(x)
#define rcity_fabs(x)          fabs(x)
#define rcity_floor(x)         floor(x)
#define rcity_atan2(y, x)      atan2(y, x)
#define rcity_acos(x)          acos(x)
#define rcity_hypot(x, y)      hypot(x, y)
#define rcity_fmin(a, b)       fmin(a, b)
#define rcity_fmax(a, b)       fmax(a, b)
#define rcity_isnan(x)         isnan(x)
#define RCITY_NAN              NAN
#define rcity_mul_hi(a, b)     mul_hi((long)(a), (long)(b)) /* upper half of the product of two rcity_i64 */
#define rcity_float_bits(x)    as_uint((float)(x))
#define rcity_bits_float(x)    as_float((uint)(x))
#define rcity_leading_zeros(x) ((int)clz((ulong)(x))) /* of an rcity_u64 other than 0 */

/* Numbers that are read, added and multiplied side by side. A product is added in one operation here and in two on the
   host: the same for whole numbers below 2^24. */
typedef float4 rcity_float4;
typedef float8 rcity_float8;
#define rcity_x(v)                               ((v).x)
#define rcity_y(v)                               ((v).y)
#define rcity_z(v)                               ((v).z)
#define rcity_w(v)                               ((v).w)
#define rcity_float4_make(x, y, z, w)            ((float4)(x, y, z, w))
#define rcity_float8_load(from)                  vload8(0, from)
#define rcity_float8_store(v, to)                vstore8(v, 0, to)
#define rcity_float8_all(x)                      ((float8)(x))
#define rcity_float8_at_least(a, b)              select((float8)(0.0f), (float8)(1.0f), (a) >= (float8)(b))
#define rcity_float8_add_product(sum, factor, x) ((sum) = fma(factor, (float8)(x), sum))

/* For words that the work items of a group share. On the host one thread does all the items of a group. */
#define rcity_local_and(word, bits)  ((void)atomic_and(word, bits))
#define rcity_local_or(word, bits)   ((void)atomic_or(word, bits))
#define rcity_local_add(word, value) atomic_add(word, value) /* returns the old value */

/* For words that all work items share, and all threads of the host. */
#define rcity_global_and(word, bits)  ((void)atomic_and(word, bits))
#define rcity_global_or(word, bits)   ((void)atomic_or(word, bits))
#define rcity_global_add(word, value) atomic_add(word, value) /* returns the old value */
#define rcity_global_min(word, value) ((void)atomic_min(word, value))
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define rcity_global_add64(word, value)                                                                                \
    ((void)atom_add(word, value)) /* kernels that call it ask for the device's 64-bit atomics */
#endif

#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define rcity_global_min64(word, value) ((void)atom_min(word, value)) /* likewise */
#endif

#define RCITY_HAS_DOUBLE 0 /* a device may lack it: kernels do not use it */
#define RCITY_HAS_DIVIDE 0 /* 64-bit division in one instruction */

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

#define RCITY_GLOBAL
#define RCITY_LOCAL
#define RCITY_CONSTANT      const
#define RCITY_KERNEL        static inline
#define RCITY_KERNEL_CALLED RCITY_KERNEL
#if defined(__GNUC__)
#define RCITY_ALIGNED(bytes)  __attribute__((aligned(bytes)))
#define RCITY_KERNEL_APART    static __attribute__((noinline, unused))
#define RCITY_KERNEL_WITHIN   static inline __attribute__((always_inline))
#define rcity_prefetch(place) __builtin_prefetch(place) /* on the host only */
#else
#define RCITY_ALIGNED(bytes)
#define RCITY_KERNEL_APART    static inline
#define RCITY_KERNEL_WITHIN   static inline
#define rcity_prefetch(place) ((void)(place))
#endif

/* A function with a loop over arrays, on the host only: compiled a second time for registers of 8 numbers, and chosen
   where the machine has them. Nothing is fused, so the bits are the same. Sanitizers start after such choices. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&                           \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RCITY_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define RCITY_WIDE
#endif
typedef uint8_t rcity_u8;
typedef uint16_t rcity_u16;
typedef int32_t rcity_i32;
typedef int64_t rcity_i64;
typedef uint32_t rcity_u32;
typedef uint64_t rcity_u64;
#define rcity_sqrt(x)                 sqrtf(x)
#define rcity_log10(x)                log10f(x)
#define rcity_exp(x)                  expf(x)
#define rcity_expm1(x)                expm1f(x)
#define rcity_pow(x, y)               powf(x, y)
#define rcity_sin(x)                  sinf(x)
#define rcity_cos(x)                  cosf(x)
#define rcity_fabs(x)                 fabsf(x)
#define rcity_floor(x)                floorf(x)
#define rcity_atan2(y, x)             atan2f(y, x)
#define rcity_acos(x)                 acosf(x)
#define rcity_hypot(x, y)             hypotf(x, y)
#define rcity_fmin(a, b)              fminf(a, b)
#define rcity_fmax(a, b)              fmaxf(a, b)
#define rcity_isnan(x)                isnan(x)
#define RCITY_NAN                     NAN

__extension__ typedef __int128 rcity_product128;
static inline rcity_i64 rcity_mul_hi(rcity_i64 a, rcity_i64 b)
{
    return (rcity_i64)(((rcity_product128)a * b) >> 64);
}

typedef float rcity_float4 __attribute__((vector_size(16)));
typedef float rcity_float8 __attribute__((vector_size(32)));
typedef int32_t rcity_i32_8 __attribute__((vector_size(32)));
#define rcity_x(v)                    ((v)[0])
#define rcity_y(v)                    ((v)[1])
#define rcity_z(v)                    ((v)[2])
#define rcity_w(v)                    ((v)[3])
#define rcity_float4_make(x, y, z, w) ((rcity_float4){x, y, z, w})
#define rcity_float8_load(from)                                                                                        \
    (rcity_float8)                                                                                                     \
    {                                                                                                                  \
        (from)[0], (from)[1], (from)[2], (from)[3], (from)[4], (from)[5], (from)[6], (from)[7]                         \
    }
#define rcity_float8_store(v, to)                memcpy(to, &(v), sizeof(rcity_float8))
#define rcity_float8_all(x)                      ((rcity_float8){x, x, x, x, x, x, x, x})
#define rcity_float8_at_least(a, b)              ((rcity_float8)(((a) >= (b)) & (rcity_i32_8)rcity_float8_all(1.0f)))
#define rcity_float8_add_product(sum, factor, x) ((sum) += (factor) * (x))

static inline rcity_u32 rcity_float_bits(float x)
{
    rcity_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float rcity_bits_float(rcity_u32 bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline int rcity_leading_zeros(rcity_u64 x)
{
    int count = 0;
    for (rcity_u64 bit = (rcity_u64)1 << 63; (x & bit) == 0; bit >>= 1) {
        count++;
    }
    return count;
}

static inline void rcity_local_and(rcity_u32 *word, rcity_u32 bits)
{
    *word &= bits;
}

static inline void rcity_local_or(rcity_u32 *word, rcity_u32 bits)
{
    *word |= bits;
}

static inline rcity_u32 rcity_local_add(rcity_u32 *word, rcity_u32 value)
{
    rcity_u32 before = *word;
    *word += value;
    return before;
}

static inline void rcity_global_and(rcity_u32 *word, rcity_u32 bits)
{
    (void)__atomic_fetch_and(word, bits, __ATOMIC_RELAXED);
}

static inline void rcity_global_or(rcity_u32 *word, rcity_u32 bits)
{
    (void)__atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static inline rcity_u32 rcity_global_add(rcity_u32 *word, rcity_u32 value)
{
    return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

static inline void rcity_global_min(rcity_u32 *word, rcity_u32 value)
{
    rcity_u32 before = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (value < before &&
           !__atomic_compare_exchange_n(word, &before, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static inline void rcity_global_add64(rcity_i64 *word, rcity_i64 value)
{
    (void)__atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

static inline void rcity_global_min64(rcity_u64 *word, rcity_u64 value)
{
    rcity_u64 before = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (value < before &&
           !__atomic_compare_exchange_n(word, &before, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

#define RCITY_HAS_DOUBLE 1
#define RCITY_HAS_DIVIDE 1

#endif

#define RCITY_PI            3.14159265358979323846f
#define RCITY_LIGHT_M_PER_S 299792458.0f

#endif
