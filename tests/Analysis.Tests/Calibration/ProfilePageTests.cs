namespace ScaleOut.Tests.Analysis.Calibration;

public sealed class ProfilePageTests
{
    [Fact]
    public void Page_Profile_HasItsFiguresPlotsAndNotes()
    {
        var text = ProfilePage.From(SampleProfiles.Create() with { Notes = ["<b>unknown</b>"] }).ToHtml();
        var page = XDocument.Parse(text.Replace("<!DOCTYPE html>", "", StringComparison.Ordinal));

        Assert.Equal(4, page.Descendants("figure").Count());
        var rows = page.Descendants("tr").Select(row => string.Join("|", row.Elements().Select(cell => cell.Value))).ToList();
        Assert.Contains("Network round trip|3.5|3.49 to 3.51|100", rows);
        Assert.Contains("Create, 64 KB, no index entries|30|30 to 30|100", rows);
        Assert.Contains("Each operation of a batch beyond the first|not measured||", rows);
        Assert.Contains("Write: p99.9|8.99|8.98 to 9|100", rows);
        Assert.Contains(page.Descendants("li"), item => item.Value == "<b>unknown</b>");
    }

    [Fact]
    public void PhysicsSource_Profile_NamesAccountAndAge()
    {
        var simulation = ScaleOut.Profiles.ProfileSimulation.From(SampleProfiles.Create());
        var measured = SampleProfiles.Create().MeasuredAt;
        Assert.Equal(
            "profile orders-2026-11-20: orders.documents.azure.com (West Europe), measured 2026-11-20, 12 days before",
            PhysicsSource.From(simulation, measured.AddDays(12.9)));
        Assert.EndsWith("less than a day before", PhysicsSource.From(simulation, measured.AddHours(3)), StringComparison.Ordinal);
        Assert.Null(PhysicsSource.From(new SimulationSpec(), measured));
    }
}
