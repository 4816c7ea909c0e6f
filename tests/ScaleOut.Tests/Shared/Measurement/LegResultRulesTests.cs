namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LegResultRulesTests
{
    /// <summary>A leg of 40 documents from 110 on: 5 were done before, and 3 were done ahead of 150.</summary>
    private static LegResult Sound { get; } = Legs.Leg(inserted: 30, alreadyPresent: 6, failed: 2) is var leg
        ? leg with
        {
            Output = leg.Output with { Next = 150 }, Range = new(new NumberRange(100, 100), 110, [new(120, 5)]),
            DoneAhead = [new(160, 2), new(165, 1)],
        }
        : null!;

    [Fact]
    public void ContradictionIn_SoundResult_IsNone() => Assert.Null(LegResultRules.ContradictionIn(Sound));

    [Fact]
    public void ContradictionIn_ImpossibleResult_IsNamed()
    {
        const string overlap = "its ranges of documents that were done ahead overlap, or lie outside its slice";
        var (output, range) = (Sound.Output, Sound.Range);
        (LegResult Result, string Reason)[] contradictions =
        [
            (Sound with { Output = output with { Next = 201 } },
                "its next document is 201, outside what it was given (documents 110 to 199)"),
            (Sound with { Output = output with { Next = 109 } },
                "its next document is 109, outside what it was given (documents 110 to 199)"),
            (Sound with { Range = range with { First = 99 } },
                "it begins at document 99, outside its worker's slice (documents 100 to 199)"),
            (Sound with { DoneAhead = [new(199, 2)] }, overlap),
            (Sound with { DoneAhead = [new(160, 2), new(161, 1)] }, overlap),
            (Sound with { Range = range with { DoneBefore = [new(120, 5), new(120, 5)] } }, overlap),
            (Sound.With(counts => counts with { Inserted = 31 }), "it counts 39 documents as done, but its ranges are those of 38"),
            (Sound.With(counts => counts with { Inserted = 40, Failed = -8 }), "it has a count below zero"),
        ];

        Assert.All(contradictions, one => Assert.Equal(one.Reason, LegResultRules.ContradictionIn(one.Result)));
    }
}
