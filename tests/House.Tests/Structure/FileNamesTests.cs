namespace ScaleOut.Tests.Structure;

/// <summary>The project's own files, types and tests keep the rules of <see cref="FileNames"/>, which find planted violations.</summary>
public sealed class FileNamesTests
{
    [Fact]
    public void Files_EachWithTypes_AreNamedAfterOneOfThem() => StructureTests.AssertNone(
        SourceText.Files().SelectMany(file => FileNames.MisnamedIn(file.Path, file.Text)));

    [Fact]
    public void Tests_OfOneType_LieWhereItLies() => StructureTests.AssertNone(FileNames.MisplacedIn([.. SourceText.Files()]));

    [Fact]
    public void Tests_Each_AreNamedMethodConditionResult() => StructureTests.AssertNone(SourceText.Files()
        .Where(file => file.Path.StartsWith("tests/", StringComparison.Ordinal))
        .SelectMany(file => FileNames.MisnamedTestsIn(file.Path, file.Text)));

    [Theory]
    [InlineData("Shared/Specs/RunSpec.cs", 0)]
    [InlineData("Shared/Specs/RunSpec.Reading.cs", 0)]
    [InlineData("Shared/Specs/Specs.cs", 1)]
    public void MisnamedIn_FileOfTwoTypes_IsNoticedUnlessItIsNamedAfterOne(string path, int violations) => Assert.Equal(
        violations, FileNames.MisnamedIn(path, "public sealed record Slice(int From);\n\npublic sealed record RunSpec;\n").Count());

    [Theory]
    [InlineData("tests/Shared.Tests/Specs/SliceTests.cs", 0)]
    [InlineData("tests/Shared.Tests/SliceTests.cs", 1)]
    [InlineData("tests/Orchestrator.Tests/Specs/SliceTests.cs", 1)]
    [InlineData("tests/EndToEnd.Tests/SliceTests.cs", 0)]
    public void MisplacedIn_TestOfAType_IsNoticedInAnotherFolder(string path, int violations) => Assert.Equal(
        violations,
        FileNames.MisplacedIn(
        [
            ("Shared/Specs/RunSpec.cs", "public sealed record Slice(int From);\n"), (path, "public sealed class SliceTests\n{\n}\n"),
        ]).Count());

    [Theory]
    [InlineData("Slice_OfNothing_IsEmpty", 0)]
    [InlineData("SliceIsEmpty", 1)]
    [InlineData("Slice_IsEmpty", 1)]
    [InlineData("Slice_OfNothing_IsEmpty_Always", 1)]
    public void MisnamedTestsIn_AnyName_HasThreeParts(string name, int violations) => Assert.Equal(
        violations,
        FileNames.MisnamedTestsIn("A.cs", $"    [Theory]\n    [InlineData(1)]\n    public async Task {name}(int from)\n").Count());
}
