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

        var error = Assert.Throws<EvidenceException>(() => ProfileFile.Read(Encoding.UTF8.GetBytes(changed)));

        Assert.Equal(EvidenceProblem.Damaged, error.Problem);
    }

    [Fact]
    public void Read_CutShort_IsDamaged()
    {
        var content = ProfileFile.Write(SampleProfiles.Create());

        var error = Assert.Throws<EvidenceException>(() => ProfileFile.Read(content.AsSpan(0, content.Length / 2)));

        Assert.Equal(EvidenceProblem.Damaged, error.Problem);
    }

    [Fact]
    public void Read_WithoutVersion_IsOlder()
    {
        var fields = JsonNode.Parse(ProfileFile.Write(SampleProfiles.Create()))!.AsObject();
        StoredItem.RemoveHead(fields);

        var error = Assert.Throws<EvidenceException>(() => ProfileFile.Read(Encoding.UTF8.GetBytes(fields.ToJsonString())));

        Assert.Equal(EvidenceProblem.OlderFormat, error.Problem);
    }

    [Fact]
    public void Read_ItemOfAnotherKind_IsNoProfile()
    {
        var other = StoredItem.Write("nightly/report.json", new { id = "nightly" }, ScaleOutJson.Indented);

        var error = Assert.Throws<EvidenceException>(() => ProfileFile.Read(other));

        Assert.Contains("nightly/report.json", error.Reason, StringComparison.Ordinal);
    }
}
