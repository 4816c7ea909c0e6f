namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LegResultRulesTests
{
    /// <summary>40 documents from 110 on, of which 5 were done before, and 3 done ahead of 150.</summary>
    private static LegResult Sound { get; } = Legs.Leg(inserted: 30, alreadyPresent: 6, failed: 2) is var leg
        ? leg with
        {
            Output = leg.Output with { Next = 150 },
            Range = new(new Slice(100, 100), 110, [new(120, 5)]),
            DoneAhead = [new(160, 2), new(165, 1)],
        }
        : null!;

    public static TheoryData<string, string> Contradictions => new()
    {
        { "next beyond", "its next document is 201, outside what it was given (documents 110 to 199)" },
        { "next before", "its next document is 109, outside what it was given (documents 110 to 199)" },
        { "first outside", "it begins at document 99, outside its worker's slice (documents 100 to 199)" },
        { "ahead beyond", "its ranges of documents that were done ahead overlap, or lie outside its slice" },
        { "ahead overlaps", "its ranges of documents that were done ahead overlap, or lie outside its slice" },
        { "before overlaps", "its ranges of documents that were done ahead overlap, or lie outside its slice" },
        { "one more", "it counts 39 documents as done, but its ranges are those of 38" },
        { "below zero", "it has a count below zero" },
    };

    [Fact]
    public void ContradictionIn_SoundResult_IsNone() => Assert.Null(LegResultRules.ContradictionIn(Sound));

    [Theory, MemberData(nameof(Contradictions))]
    public void ContradictionIn_WhatCannotBe_IsNamed(string kind, string reason)
    {
        var (output, range) = (Sound.Output, Sound.Range);
        var result = kind switch
        {
            "next beyond" => Sound with { Output = output with { Next = 201 } },
            "next before" => Sound with { Output = output with { Next = 109 } },
            "first outside" => Sound with { Range = range with { First = 99 } },
            "ahead beyond" => Sound with { DoneAhead = [new(199, 2)] },
            "ahead overlaps" => Sound with { DoneAhead = [new(160, 2), new(161, 1)] },
            "before overlaps" => Sound with { Range = range with { DoneBefore = [new(120, 5), new(120, 5)] } },
            "one more" => Sound.With(counts => counts with { Inserted = 31 }),
            _ => Sound.With(counts => counts with { Inserted = 40, Failed = -8 }),
        };

        Assert.Equal(reason, LegResultRules.ContradictionIn(result));
    }
}
