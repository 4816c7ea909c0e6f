using ScaleOut.Specs.Reading;

namespace ScaleOut.Experiments.Reading;

/// <summary>Reads or describes an object that is laid over another one: nothing in it must be given, as the other may give it.</summary>
internal sealed class PartialObject(ISpecObject whole) : ISpecObject
{
    public ISpecValue Field(string name, string about) => new PartialValue(whole.Field(name, about));

    public ISpecValue Required(string name, string about) => Field(name, about);

    /// <summary>A value whose objects are partial; a list replaces another one, so its items are whole.</summary>
    private sealed class PartialValue(ISpecValue value) : ISpecValue
    {
        public long? Integer(long minimum, long maximum, long step = 1) => value.Integer(minimum, maximum, step);

        public double? Number(double minimum, double maximum, bool aboveMinimum = false) => value.Number(minimum, maximum, aboveMinimum);

        public bool? Flag() => value.Flag();

        public string? Text(TextForm form) => value.Text(form);

        public T? Choice<T>() where T : struct, Enum => value.Choice<T>();

        public TimeSpan? Duration(TimeSpan minimum, TimeSpan maximum) => value.Duration(minimum, maximum);

        public T? Object<T>(Func<ISpecObject, T> fields) where T : class => value.Object(inner => fields(new PartialObject(inner)));

        public IReadOnlyList<T>? List<T>(Func<ISpecValue, T> item, int minimumItems, int maximumItems, bool unique = false) => value.List(item, minimumItems, maximumItems, unique);

        public T? NameOrObject<T>(IReadOnlyDictionary<string, T> named, Func<ISpecObject, T> fields) where T : class =>
            value.NameOrObject(named, inner => fields(new PartialObject(inner)));

        public string? RawObject(int longest) => value.RawObject(longest);

        public string? Scalar(int longest) => value.Scalar(longest);
    }
}
