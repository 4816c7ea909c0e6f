namespace ScaleOut.Statistics;

/// <summary>Which parameters of the scalability law a solution may vary beside gamma; the others are held at 0.</summary>
[Flags]
internal enum FreeParameters
{
    None = 0,
    Alpha = 1,
    Beta = 2,
    Both = Alpha | Beta,
}
