namespace ScaleOut.Workers.Documents;

/// <summary>Evaluates the parts of a template for document numbers.</summary>
internal sealed class PlaceholderValues
{
    private readonly Part[] _parts;

    public PlaceholderValues(string runId, IReadOnlyList<TemplatePart> parts) => _parts = [.. parts.Select(part => new Part(runId, part))];

    /// <summary>The text of a number.</summary>
    /// <param name="field">Gives the document's properties. Needed only if a field is named.</param>
    public string From(long number, string id, string key, Func<string, string>? field = null) =>
        string.Concat(_parts.Select(part => part.From(number, id, key, field)));

    /// <summary>Writes JSON: literals are JSON already, placeholders become numbers, truth values or the inside of strings.</summary>
    public void Write(ref JsonText json, long number, string id, string key)
    {
        foreach (var part in _parts)
            part.Write(ref json, number, id, key);
    }

    private sealed class Part(string runId, TemplatePart part)
    {
        private readonly DocumentIdentity _identity =
            new(runId, $"template {part.Place}");
        private readonly byte[] _literal = Encoding.UTF8.GetBytes(part.Text);
        private readonly byte[][] _choices =
            [.. part.Choices.Select(choice => Encoding.UTF8.GetBytes(JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(choice)))];
        private readonly double[] _weights = [.. part.Weights.Select((_, i) => part.Weights.Take(i + 1).Sum())];
        private readonly ZipfDraw? _skew =
            part.Kind == PlaceholderKind.Skewed ? ZipfDraw.For((int)(part.Maximum - part.Minimum) + 1, part.Exponent) : null;

        public string From(long number, string id, string key, Func<string, string>? field) => part.Kind switch
        {
            PlaceholderKind.Literal => part.Text,
            PlaceholderKind.Id => id,
            PlaceholderKind.Key => key,
            PlaceholderKind.Field => field?.Invoke(part.Text)
                ?? throw new InvalidOperationException("There is no document to take a field of."),
            PlaceholderKind.Pick => part.Choices[Choice(number)],
            _ => Plain(number),
        };

        public void Write(ref JsonText json, long number, string id, string key)
        {
            switch (part.Kind)
            {
                case PlaceholderKind.Literal:
                    json.Raw(_literal);
                    break;
                case PlaceholderKind.Id:
                    json.Text(id);
                    break;
                case PlaceholderKind.Key:
                    json.Text(key);
                    break;
                case PlaceholderKind.Pick:
                    json.Raw(_choices[Choice(number)]);
                    break;
                default:
                    WritePlain(ref json, number);
                    break;
            }
        }

        /// <summary>The first choice whose weight and all before it are more than the drawn share of their sum.</summary>
        private int Choice(long number)
        {
            var found = Array.BinarySearch(_weights, Random(number).Share() * _weights[^1]);
            return found < 0 ? ~found : found + 1;
        }

        private StableRandom Random(long number) => new(_identity.Seed, number);

        private string Plain(long number)
        {
            Span<byte> buffer = stackalloc byte[64];
            var longest = part.Kind == PlaceholderKind.RandomText ? (int)part.Maximum : 0;
            var json = new JsonText(longest > buffer.Length ? new byte[longest] : buffer);
            WritePlain(ref json, number);
            return Encoding.UTF8.GetString(json.Written);
        }

        /// <summary>Writes values that are the same in a text and in JSON.</summary>
        private void WritePlain(ref JsonText json, long number)
        {
            var random = Random(number);
            switch (part.Kind)
            {
                case PlaceholderKind.Number:
                    json.Number(number);
                    break;
                case PlaceholderKind.Unique:
                    json.Guid(_identity.From(number));
                    break;
                case PlaceholderKind.RandomInt:
                    json.Number(random.Range(part.Minimum, part.Maximum));
                    break;
                case PlaceholderKind.Skewed:
                    json.Number(part.Minimum + _skew!.RankAt(random.Share()));
                    break;
                case PlaceholderKind.RandomNumber:
                    json.Number(part.Minimum + (random.Share() * (part.Maximum - part.Minimum)), 3);
                    break;
                case PlaceholderKind.RandomBool:
                    json.Raw(random.Range(0, 1) == 1 ? "true"u8 : "false"u8);
                    break;
                case PlaceholderKind.RandomText:
                    Span<byte> letter = stackalloc byte[1];
                    for (var i = 0; i < part.Maximum; i++)
                    {
                        letter[0] = (byte)TextTemplate.RandomCharacters[(int)random.Range(0, TextTemplate.RandomCharacters.Length - 1)];
                        json.Raw(letter);
                    }

                    break;
                default:
                    throw new InvalidOperationException($"no such placeholder: {part.Kind}");
            }
        }
    }
}

/// <summary>
/// Draws ranks by the law of Zipf: the chance of rank n, from 1, is in proportion to n^-exponent. One uniform number gives one rank, so
/// that a document's rank is a function of its number alone.
/// </summary>
internal sealed class ZipfDraw
{
    /// <summary>Tables by count of values and exponent. All document sources of a process share them.</summary>
    private static readonly ConcurrentDictionary<(int Values, double Exponent), ZipfDraw> Draws = new();

    private readonly double[] _sums;

    private ZipfDraw(int values, double exponent)
    {
        _sums = new double[values];
        // The smallest value is added first, which keeps rounding errors small.
        for (var rank = values; rank >= 1; rank--)
            _sums[rank - 1] = Math.Pow(rank, -exponent) + (rank == values ? 0 : _sums[rank]);
    }

    public static ZipfDraw For(int values, double exponent) => Draws.GetOrAdd((values, exponent), key => new(key.Values, key.Exponent));

    /// <summary>The rank, counted from 0.</summary>
    /// <param name="share">Uniform, from 0 on, below 1.</param>
    public int RankAt(double share)
    {
        // Each entry is the sum of the probabilities of its rank and all later ranks, so the entries descend.
        var sought = (1 - share) * _sums[0];
        var (low, high) = (0, _sums.Length - 1);
        while (low < high)
        {
            var middle = (low + high + 1) / 2;
            if (_sums[middle] >= sought)
                low = middle;
            else
                high = middle - 1;
        }

        return low;
    }
}
