using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>The parameter whose value separates the draws in which something holds from the others, and where it does so.</summary>
/// <param name="Parameter">Name of the <see cref="PhysicsParameter"/>.</param>
/// <param name="Threshold">Halfway between the two draws next to it.</param>
/// <param name="HoldsAbove">Whether it holds above the threshold; else below.</param>
/// <param name="Right">Draws that lie on the side that the threshold gives them.</param>
/// <param name="Draws">All draws that were looked at.</param>
/// <param name="PValue">Share of random assignments that some parameter separates at least as well.</param>
/// <param name="AsGood">Other parameters that separate as many draws: these draws do not say which of them it is.</param>
public sealed record FlipPoint(
    string Parameter, double Threshold, bool HoldsAbove, int Right, int Draws, double PValue, IReadOnlyList<string> AsGood)
{
    /// <summary>What a parameter must pass to be named, for readers.</summary>
    public const string Rule =
        "A parameter is named only where chance does as well in at most 5% of 1,999 shuffles: the verdicts are dealt to the draws at "
            + "random, and each time the best of all parameters and thresholds counts. So few draws, or verdicts of which nearly all are "
            + "the same, name none.";

    private const double Level = 0.05;
    private const int Shuffles = 1_999;

    /// <summary>The best parameter and threshold; null where none separates better than chance (<see cref="Rule"/>).</summary>
    /// <param name="parameters">That were drawn.</param>
    /// <param name="values">Of each draw, in the order of the parameters.</param>
    /// <param name="holds">Of each draw, whether it holds.</param>
    /// <param name="seed">Of the shuffles.</param>
    public static FlipPoint? Find(
        IReadOnlyList<PhysicsParameter> parameters, IReadOnlyList<IReadOnlyList<double>> values, IReadOnlyList<bool> holds, int seed)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(holds);
        if (!holds.Contains(true) || !holds.Contains(false))
            return null;
        var columns = Enumerable.Range(0, parameters.Count).Select(i => new DrawnColumn([.. values.Select(draw => draw[i])])).ToList();
        bool[] shuffled = [.. holds];
        var cuts = columns.Select(column => column.BestCut(shuffled)).ToList();
        var most = cuts.Max(cut => cut.Right);
        var random = new Random(seed);
        var asGood = 0;
        double Chance() => (1 + asGood) / (1d + Shuffles);
        for (var i = 0; i < Shuffles && Chance() <= Level; i++)
        {
            random.Shuffle(shuffled);
            if (columns.Any(column => column.BestCut(shuffled).Right >= most))
                asGood++;
        }

        if (Chance() > Level)
            return null;
        var best = Enumerable.Range(0, cuts.Count).Where(i => cuts[i].Right == most).ToList();
        var (column, cut) = (columns[best[0]], cuts[best[0]]);
        return new FlipPoint(
            parameters[best[0]].Name, parameters[best[0]].Between(column[cut.Below - 1], column[cut.Below]), cut.HoldsAbove, cut.Right,
            holds.Count, Chance(), [.. best.Skip(1).Select(i => parameters[i].Name)]);
    }
}

/// <summary>The values that the draws have of one parameter, ordered.</summary>
internal sealed class DrawnColumn
{
    private readonly int[] _order;
    private readonly double[] _values;

    /// <param name="values">Of each draw.</param>
    public DrawnColumn(double[] values)
    {
        _order = [.. Enumerable.Range(0, values.Length).OrderBy(draw => values[draw])];
        _values = [.. _order.Select(draw => values[draw])];
    }

    /// <summary>The value at a place of the order.</summary>
    public double this[int place] => _values[place];

    /// <summary>The cut between two different values that gives most draws their side.</summary>
    /// <param name="holds">Of each draw.</param>
    public Cut BestCut(bool[] holds)
    {
        var (all, held) = (holds.Count(one => one), 0);
        var best = new Cut(Below: 0, HoldsAbove: true, Right: 0);
        for (var below = 1; below < _order.Length; below++)
        {
            held += holds[_order[below - 1]] ? 1 : 0;
            if (_values[below] == _values[below - 1])
                continue;
            var above = below - held + (all - held);
            if (above > best.Right)
                best = new Cut(below, HoldsAbove: true, above);
            if (_order.Length - above > best.Right)
                best = new Cut(below, HoldsAbove: false, _order.Length - above);
        }

        return best;
    }
}

/// <summary>A place in ordered values.</summary>
/// <param name="Below">How many values lie below it.</param>
/// <param name="HoldsAbove">Whether something holds above it; else below.</param>
/// <param name="Right">Draws for which that is so.</param>
internal readonly record struct Cut(int Below, bool HoldsAbove, int Right);
