import ValiseFailures
import ValiseXFTPWire

/// Brings one chunk of the destination in line with that of the source.
extension StoreMigrationWork {
    func move(_ pair: StorePair) throws {
        if let chunk = pair.source {
            note { $0.count(chunk) }
            if let known = pair.destination {
                try compare(chunk, known)
            } else {
                try create(chunk)
                try moveBody(of: chunk, to: nil)
            }
        } else if let known = pair.destination, isFinal {
            try remove(known)
        }
    }

    // MARK: Names

    /// With all recipients at once where none can be added later.
    private func create(_ chunk: ListedChunk) throws {
        let isActive = chunk.chunk.status == .active
        let first = isActive ? chunk.recipients.prefix(StoreLogLine.mostRecipients) : chunk.recipients[...]
        do {
            try destination.records.create(chunk.chunk, Array(first))
        } catch let error as XFTPStoreError where error.code == .alreadyExists {
            throw Self.foreign
        }
        try add(chunk.recipients.dropFirst(first.count), to: chunk.chunk.id)
        note {
            $0.createdChunks += 1
            $0.addedRecipients += chunk.recipients.count
        }
    }

    private func add(_ recipients: ArraySlice<NewStoredRecipient>, to chunk: StoredID) throws {
        var rest = recipients
        while !rest.isEmpty {
            try destination.records.addRecipients(
                Array(rest.prefix(StoreLogLine.mostRecipients)), to: chunk)
            rest = rest.dropFirst(StoreLogLine.mostRecipients)
        }
    }

    private func compare(_ chunk: ListedChunk, _ known: ListedChunk) throws {
        guard chunk.chunk.isSame(as: known.chunk) else { throw Self.foreign }
        if known.chunk.status == .active {
            try compareRecipients(chunk, known)
            if chunk.chunk.status == .active { try moveBody(of: chunk, to: known.body) }
        }
        if chunk.chunk.status != known.chunk.status { try take(over: chunk, known) }
    }

    private func compareRecipients(_ chunk: ListedChunk, _ known: ListedChunk) throws {
        let (wanted, present) = (Set(chunk.recipients), Set(known.recipients))
        let missing = chunk.recipients.filter { !present.contains($0) }
        try add(missing[...], to: chunk.chunk.id)
        // Their downloads were acknowledged at the source meanwhile.
        let surplus = known.recipients.filter { !wanted.contains($0) }
        for recipient in surplus { try destination.records.acknowledge(recipient.id) }
        note {
            $0.addedRecipients += missing.count
            $0.removedRecipients += surplus.count
        }
    }

    // MARK: Status

    /// A chunk that the operator of the source blocked meanwhile, or whose status changed in another way.
    private func take(over chunk: ListedChunk, _ known: ListedChunk) throws {
        if case .blocked(let information) = chunk.chunk.status, let recipient = chunk.recipients.first {
            try destination.records.remove(
                .byOperator(recipient: recipient.id), as: .blocked(information)
            ) { try removeBody($0) }
            return note { $0.changedChunks += 1 }
        }
        guard try remove(known) else { return }
        try create(chunk)
        try moveBody(of: chunk, to: nil)
    }

    /// - Returns: false where nobody can: it expires, and the comparison counts it until then.
    @discardableResult
    private func remove(_ known: ListedChunk) throws -> Bool {
        let target: RemovalTarget
        if let recipient = known.recipients.first {
            target = .byOperator(recipient: recipient.id)
        } else if known.chunk.status == .active {
            target = .bySender(known.chunk.id)
        } else {
            return false
        }
        try destination.records.remove(target, as: .deleted) { try removeBody($0) }
        note { $0.removedChunks += 1 }
        return true
    }

    private static var foreign: XFTPStoreError {
        XFTPStoreError(
            .alreadyExists,
            "the destination has another chunk under a name of the source: it is no copy of this source. "
                + "What was moved stays.")
    }
}

extension NewStoredChunk {
    /// Whether both are one chunk, whatever their status is.
    fileprivate func isSame(as other: NewStoredChunk) -> Bool {
        var other = other
        other.status = status
        return self == other
    }
}
