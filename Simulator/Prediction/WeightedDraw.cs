using ScaleOut.Simulator.Engine.Physics;

namespace ScaleOut.Simulator.Prediction;

/// <summary>Draws indices by their weights, each with one number whatever their count (Walker's alias method).</summary>
internal sealed class WeightedDraw
{
    private readonly double[] _own;
    private readonly int[] _alias;

    /// <param name="count">1 and more.</param>
    /// <param name="weights">As many, none below 0 and some above; null for equal ones.</param>
    public WeightedDraw(int count, IReadOnlyList<double>? weights)
    {
        _own = new double[count];
        _alias = new int[count];
        Array.Fill(_own, 1);
        if (weights is null)
            return;

        double mean = weights.Sum() / count;
        var small = new Stack<int>();
        var large = new Stack<int>();
        for (int i = 0; i < count; i++)
        {
            _own[i] = weights[i] / mean;
            (_own[i] < 1 ? small : large).Push(i);
        }

        while (small.Count > 0 && large.Count > 0)
        {
            int low = small.Pop();
            int high = large.Peek();
            _alias[low] = high;
            _own[high] -= 1 - _own[low];
            if (_own[high] < 1)
                small.Push(large.Pop());
        }

        // What is left over is 1 but for rounding.
        foreach (int i in small.Concat(large))
            _own[i] = 1;
    }

    public int Next(SeededNoise noise)
    {
        double at = noise.NextUniform() * _own.Length;
        int index = (int)at;
        return at - index < _own[index] ? index : _alias[index];
    }
}
