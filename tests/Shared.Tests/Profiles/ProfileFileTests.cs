namespace ScaleOut.Tests.Shared.Profiles;

public sealed class ProfileFileTests
{
    [Fact]
    public void Read_WhatWasWritten_IsTheSame()
    {
        var profile = SampleProfiles.Create();
        var read = ProfileFile.Read(ProfileFile.Write(profile));
        Assert.Equal(JsonSerializer.Serialize(profile, ScaleOutJson.Compact), JsonSerializer.Serialize(read, ScaleOutJson.Compact));
        Assert.Equal(profile.MeasuredAt, read.MeasuredAt);
    }

    [Fact]
    public void Read_ChangedFigure_IsDamaged()
    {
        var text = Encoding.UTF8.GetString(ProfileFile.Write(SampleProfiles.Create()));
        var changed = text.Replace("7.25", "7.26", StringComparison.Ordinal);
        Assert.NotEqual(text, changed);
        Assert.Equal(EvidenceProblem.Damaged, ErrorOf(Encoding.UTF8.GetBytes(changed)).Problem);
    }

    [Fact]
    public void Read_CutShort_IsDamaged()
    {
        var content = ProfileFile.Write(SampleProfiles.Create());
        Assert.Equal(EvidenceProblem.Damaged, ErrorOf(content[..(content.Length / 2)]).Problem);
    }

    [Fact]
    public void Read_WithoutVersion_IsOlder()
    {
        var fields = JsonNode.Parse(ProfileFile.Write(SampleProfiles.Create()))!.AsObject();
        StoredItem.RemoveHead(fields);
        Assert.Equal(EvidenceProblem.OlderFormat, ErrorOf(Encoding.UTF8.GetBytes(fields.ToJsonString())).Problem);
    }

    [Fact]
    public void Read_ItemOfAnotherKind_IsNoProfile()
    {
        var other = StoredItem.Write("nightly/report.json", new { id = "nightly" }, ScaleOutJson.Indented);
        Assert.Contains("nightly/report.json", ErrorOf(other).Reason, StringComparison.Ordinal);
    }

    private static EvidenceException ErrorOf(byte[] content) => Assert.Throws<EvidenceException>(() => ProfileFile.Read(content));
}
