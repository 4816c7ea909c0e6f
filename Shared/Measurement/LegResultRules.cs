using ScaleOut.Slicing;

namespace ScaleOut.Measurement;

/// <summary>What holds of every leg's result, whatever the leg met.</summary>
public static class LegResultRules
{
    /// <summary>What a result says that cannot be; null when it agrees with itself.</summary>
    public static string? ContradictionIn(LegResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var (output, range) = (result.Output, result.Range);
        var slice = range.Slice;
        if (slice.First < 0 || slice.Count < 0 || range.First < slice.First || range.First > slice.End)
            return FormattableString.Invariant($"it begins at document {range.First}, outside its worker's slice ({Describe(slice)})");
        if (output.Next < range.First || output.Next > slice.End)
        {
            var given = Describe(new Slice(range.First, slice.End - range.First));
            return FormattableString.Invariant($"its next document is {output.Next}, outside what it was given ({given})");
        }

        if (!AreRangesIn(range.DoneBefore, range.First, slice.End) || !AreRangesIn(result.DoneAhead, output.Next, slice.End))
            return "its ranges of documents that were done ahead overlap, or lie outside its slice";
        if (output.Inserted < 0 || output.AlreadyPresent < 0 || output.Failed < 0 || result.Attempt < 1)
            return "it has a count below zero";
        var done = DoneIn(result);
        return done == output.Done
            ? null
            : FormattableString.Invariant($"it counts {output.Done} documents as done, but its ranges are those of {done}");
    }

    /// <summary>How many documents were done between what a leg was given and what it left open.</summary>
    private static long DoneIn(LegResult result) =>
        result.Output.Next - result.Range.First + CountOf(result.DoneAhead) - CountOf(result.Range.DoneBefore);

    private static long CountOf(IReadOnlyList<Slice> ranges) => ranges.Sum(range => range.Count);

    private static bool AreRangesIn(IReadOnlyList<Slice> ranges, long first, long end)
    {
        foreach (var range in ranges)
        {
            if (range.Count < 1 || range.First < first || range.End > end)
                return false;
            first = range.End;
        }

        return true;
    }

    private static string Describe(Slice slice) => FormattableString.Invariant($"documents {slice.First} to {slice.End - 1}");
}
