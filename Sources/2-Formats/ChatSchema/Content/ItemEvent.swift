package import ValiseEncoding

/// What happened, for the kinds of content that contain a value with cases of its own: events of contacts, groups and
/// connections, and errors on receiving.
package struct ItemEvent: Sendable, Equatable {
    /// The case, such as `memberAdded`.
    package let name: String
    /// Its own fields, an object.
    package let fields: JSONNode

    /// - Returns: nil where the kind has no event, or the event is not known or lacks a field.
    init?(of kind: ItemContent.Kind, _ fields: JSONNode) {
        guard let field = kind.eventField, let (name, eventFields) = fields[field]?.sum,
            let shape = FieldShape.events[kind]?[name], shape.fits(eventFields)
        else { return nil }
        self.name = name
        self.fields = eventFields
    }
}

extension ItemContent.Kind {
    /// The field that has the event.
    var eventField: String? {
        switch self {
        case .rcvIntegrityError: "msgError"
        case .rcvMsgError, .rcvDirectEvent, .rcvGroupEvent, .sndGroupEvent, .rcvConnEvent, .sndConnEvent:
            rawValue
        default: nil
        }
    }
}
