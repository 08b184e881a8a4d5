// an 8 x 8 tile in registers; A is stored transposed, its rows padded
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__(256) sgemm_padded(float *A, float *B, float *C, int K, int N)
{
    __shared__ float As[2][BK][BM + 4];
    __shared__ float Bs[2][BK][BN + 4];
    float frag_a[TM], frag_b[TN], sum[TM][TN] = {0.0f};

    const int tid = threadIdx.x;
    const int a_row = tid / 2, a_col = tid % 2 * 4;
    const int b_row = tid / 32, b_col = tid % 32 * 4;
    const int tx = tid % 16, ty = tid / 16;
    int write = 0;

    float4 a4 = reinterpret_cast<float4*>(&A[a_row * K + a_col])[0];
    As[write][a_col + 0][a_row] = a4.x;
    As[write][a_col + 1][a_row] = a4.y;
    As[write][a_col + 2][a_row] = a4.z;
    As[write][a_col + 3][a_row] = a4.w;
    reinterpret_cast<float4*>(&Bs[write][b_row][b_col])[0] = reinterpret_cast<float4*>(&B[b_row * N + b_col])[0];
    __syncthreads();
    write ^= 1;

    #pragma unroll
    for (int k = 0; k < BK; k++) {
        reinterpret_cast<float4*>(&frag_a[0])[0] = reinterpret_cast<float4*>(&As[write ^ 1][k][ty * 4])[0];
        reinterpret_cast<float4*>(&frag_a[4])[0] = reinterpret_cast<float4*>(&As[write ^ 1][k][ty * 4 + BM / 2])[0];
        reinterpret_cast<float4*>(&frag_b[0])[0] = reinterpret_cast<float4*>(&Bs[write ^ 1][k][tx * 4])[0];
        reinterpret_cast<float4*>(&frag_b[4])[0] = reinterpret_cast<float4*>(&Bs[write ^ 1][k][tx * 4 + BN / 2])[0];
        for (int i = 0; i < TM * TN; i++)
            sum[i / TN][i % TN] += frag_a[i / TN] * frag_b[i % TN];
    }
    for (int i = 0; i < TM * TN; i++)
        C[i * 256 + tid] = sum[i / TN][i % TN];
}
