namespace ScaleOut.Tests.Structure;

/// <summary>What the tests of sizes see of source.</summary>
public sealed class SourceMembersTests
{
    private const string Source =
        """
        /// <summary>Text (with brackets).</summary>
        public sealed class Runs(string name, int[] numbers) : IRuns
        {
            private static readonly Dictionary<string, int> Known = new() { ["a"] = 1 };

            public int Count { get; }

            public Runs() : this("", [])
            {
            }

            /// <summary>Reads.</summary>
            public static async Task<(int From, int To)> ReadAsync<TItem>(
                Dictionary<string, TItem> known, [Named("a, b")] string name, (int From, int To) range, CancellationToken token = default)
                where TItem : class
            {
                if (known.Count == 0)
                {
                    return range;
                }

                return await Local(name, range);
            }

            private static int[] All(int count) =>
            [
                count,
                count,
            ];

            internal string Word(int status) => status switch
            {
                0 => "none",
                _ => "all",
            };

            private static bool IsShort(string text) =>
                text.Length < 3;
        }

        internal sealed record Row(int A, int B, int C);
        """;

    [Fact]
    public void In_Source_FindsMembersWithLinesAndParameters() => Assert.Equal(
        [
            ("Runs.Runs", 2, 1, 2), ("Runs.Runs", 8, 3, 0), ("Runs.ReadAsync", 13, 11, 4), ("Runs.All", 25, 5, 1),
            ("Runs.Word", 31, 5, 1), ("Runs.IsShort", 37, 2, 1), ("Runs.Row", 41, 1, 0),
        ],
        SourceMembers.In("Shared/Runs.Parts.cs", Source).Select(member => (member.Name, member.Line, member.Lines, member.Parameters)));
}
