__global__ void histogram_smem_atomics(const int *in, int width, int height, unsigned int *out)
{
  // linear thread index within 2D block
  int t = threadIdx.x + threadIdx.y * blockDim.x;

  // total threads in 2D block
  int nt = blockDim.x * blockDim.y;

  // initialize temporary accumulation array in shared memory
  __shared__ unsigned int smem[256];
  for (int i = t; i < 256; i += nt) smem[i] = 0;
  __syncthreads();

  // process pixels: updates our block's partial histogram in shared memory
  for (int i = t; i < 512; i += nt)
      atomicAdd(&smem[pixels[i]], 1);
  __syncthreads();

  // write partial histogram into the global memory
  out += blockIdx.x * 256;
  for (int i = t; i < 256; i += nt) out[i] = smem[i];
}
