__global__ void histogram(const unsigned char *pixels, int n, unsigned int *out)
{
  __shared__ unsigned int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();

  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  for (; i < n; i += stride)
    atomicAdd(&bins[pixels[i]], 1);
  __syncthreads();

  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
