#define NUM_BANKS 32
#define LOG_NUM_BANKS 5

__global__ void prescan(float *g_odata, float *g_idata, int n)
{
  extern __shared__ float temp[];  // allocated on invocation
  int thid = threadIdx.x;
  int offset = 1;

  int ai = thid;
  int bi = thid + (n/2);
  int bankOffsetA = ai >> LOG_NUM_BANKS;
  int bankOffsetB = bi >> LOG_NUM_BANKS;
  temp[ai + bankOffsetA] = g_idata[ai];
  temp[bi + bankOffsetB] = g_idata[bi];

  for (int d = n>>1; d > 0; d >>= 1)  // build sum in place up the tree
  {
    __syncthreads();
    if (thid < d)
    {
      int ai = offset*(2*thid+1)-1;
      int bi = offset*(2*thid+2)-1;
      ai += ai >> LOG_NUM_BANKS;
      bi += bi >> LOG_NUM_BANKS;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid==0) { temp[n - 1 + ((n - 1) >> LOG_NUM_BANKS)] = 0; } // clear the last element
  for (int d = 1; d < n; d *= 2) // traverse down tree & build scan
  {
    offset >>= 1;
    __syncthreads();
    if (thid < d)
    {
      int ai = offset*(2*thid+1)-1;
      int bi = offset*(2*thid+2)-1;
      ai += ai >> LOG_NUM_BANKS;
      bi += bi >> LOG_NUM_BANKS;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  g_odata[ai] = temp[ai + bankOffsetA]; // write results to device memory
  g_odata[bi] = temp[bi + bankOffsetB];
}
