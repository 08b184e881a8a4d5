template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN))
sgemm_2d_tile(int N, int K, const float *A, const float *B, float *C)
{
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  const int threads = BM * BN / (TM * TN);
  const int row = threadIdx.x / (BN / TN) * TM, col = threadIdx.x % (BN / TN) * TN;
  float regM[TM] = {0.0f}, regN[TN] = {0.0f}, sum[TM * TN] = {0.0f};

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int r = threadIdx.x / BK; r < BM; r += threads / BK)
      As[r * BK + threadIdx.x % BK] = A[r * K + k0 + threadIdx.x % BK];
    for (int r = threadIdx.x / BN; r < BK; r += threads / BN)
      Bs[r * BN + threadIdx.x % BN] = B[(k0 + r) * N + threadIdx.x % BN];
    __syncthreads();

    for (int k = 0; k < BK; k++) {
      for (int i = 0; i < TM; i++)
        regM[i] = As[(row + i) * BK + k];
      for (int j = 0; j < TN; j++)
        regN[j] = Bs[k * BN + col + j];
      for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
          sum[i * TN + j] += regM[i] * regN[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; i++)
    for (int j = 0; j < TN; j++)
      C[(blockIdx.y * BM + row + i) * N + blockIdx.x * BN + col + j] = sum[i * TN + j];
}
