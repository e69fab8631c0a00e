/// Tables of what was said: items, what hangs on them, and files.
extension EraColumns {
    static let items = """
        = chat_items
        20220122_v1_1 chat_item_id:P user_id:I contact_id:I group_id:I group_member_id:I
        20220122_v1_1 chat_msg_id:I created_by_msg_id:I item_sent:I item_ts:T item_deleted:I
        20220122_v1_1 item_content:T item_text:T created_at:T updated_at:T
        20220205_chat_item_status item_status:T
        20220304_msg_quotes shared_msg_id:B quoted_shared_msg_id:B quoted_sent_at:T
        20220304_msg_quotes quoted_content:T quoted_sent:I quoted_member_id:B
        20220321_chat_item_edited item_edited:I
        20221212_chat_items_timed timed_ttl:I timed_delete_at:T
        20221214_live_message item_live:I
        20230206_item_deleted_by_group_member_id item_deleted_by_group_member_id:I
        20230519_item_deleted_ts item_deleted_ts:T
        20231113_group_forward forwarded_by_group_member_id:I
        20231214_item_content_tag item_content_tag:T
        20240102_note_folders note_folder_id:I
        20240402_item_forwarded fwd_from_tag:T fwd_from_chat_name:T fwd_from_msg_dir:I
        20240402_item_forwarded fwd_from_contact_id:I fwd_from_group_id:I fwd_from_chat_item_id:I
        20240510_chat_items_via_proxy via_proxy:I
        20241230_reports msg_content_tag:T
        20250122_chat_items_include_in_history include_in_history:I
        20250126_mentions user_mention:I
        20250513_group_scope group_scope_tag:T group_scope_group_member_id:I
        20250526_short_links show_group_as_sender:I
        20260122_has_link has_link:I
        20260222_chat_relays msg_signed:T
        20260403_item_viewed item_viewed:I
        20260716_signed_history item_msg_body:B item_chat_binding:T item_signatures:B
        20260716_signed_history item_signed_by_group_member_id:I
        = messages
        20220101_initial message_id:P msg_sent:I chat_msg_event:T msg_body:T created_at:T
        20220122_v1_1 updated_at:T
        20220224_messages_fks connection_id:I group_id:I
        20220304_msg_quotes shared_msg_id:B shared_msg_id_user:B
        20231113_group_forward author_group_member_id:I forwarded_by_group_member_id:I
        20250813_delivery_tasks broker_ts:T
        20260222_chat_relays msg_chat_binding:T msg_signatures:B
        = files
        20220101_initial file_id:P contact_id:I group_id:I file_name:T file_path:T file_size:I
        20220101_initial chunk_size:I created_at:T user_id:I
        20220122_v1_1 chat_item_id:I updated_at:T
        20220404_files_status_fields cancelled:I ci_file_status:T
        20221012_inline_files file_inline:T
        20230318_file_description agent_snd_file_id:B private_snd_file_descr:T
        20230321_agent_file_deleted agent_snd_file_deleted:I
        20230328_files_protocol protocol:T
        20230827_file_encryption file_crypto_key:B file_crypto_nonce:B
        20240102_note_folders note_folder_id:I
        20240214_redirect_file_id redirect_file_id:I
        20260602_group_roster shared_msg_id:B file_type:T roster_transfer_id:I
        20260707_file_digest file_digest:B
        = snd_files
        20220101_initial file_id:I connection_id:I file_status:T group_member_id:I
        20220122_v1_1 created_at:T updated_at:T
        20221012_inline_files file_inline:T last_inline_msg_delivery_id:I
        20230318_file_description file_descr_id:I
        = rcv_files
        20220101_initial file_id:P file_status:T group_member_id:I file_queue_info:B
        20220122_v1_1 created_at:T updated_at:T
        20221012_inline_files rcv_file_inline:T file_inline:T
        20230318_file_description file_descr_id:I agent_rcv_file_id:B
        20230321_agent_file_deleted agent_rcv_file_deleted:I
        20230420_rcv_files_to_receive to_receive:I
        20240515_rcv_files_user_approved_relays user_approved_relays:I
        = calls
        20220702_calls call_id:P contact_id:I shared_call_id:B chat_item_id:I call_state:T call_ts:T
        20220702_calls user_id:I created_at:T updated_at:T
        20240827_calls_uuid call_uuid:B
        = group_snd_item_statuses
        20230721_group_snd_item_statuses group_snd_item_status_id:P chat_item_id:I
        20230721_group_snd_item_statuses group_member_id:I group_snd_item_status:T
        20230721_group_snd_item_statuses created_at:T updated_at:T
        20240510_chat_items_via_proxy via_proxy:I
        = chat_item_messages
        20220122_v1_1 chat_item_id:I message_id:I created_at:T updated_at:T
        = chat_item_versions
        20230505_chat_item_versions chat_item_version_id:P chat_item_id:I msg_content:T
        20230505_chat_item_versions item_version_ts:T created_at:T updated_at:T
        = chat_item_reactions
        20230511_reactions chat_item_reaction_id:P item_member_id:B shared_msg_id:B
        20230511_reactions contact_id:I group_id:I group_member_id:I created_by_msg_id:I
        20230511_reactions reaction:T reaction_sent:I reaction_ts:T created_at:T
        20230511_reactions updated_at:T
        = chat_item_moderations
        20230621_chat_item_moderations chat_item_moderation_id:P group_id:I
        20230621_chat_item_moderations moderator_member_id:I item_member_id:B
        20230621_chat_item_moderations shared_msg_id:B created_by_msg_id:I
        20230621_chat_item_moderations moderated_at:T created_at:T updated_at:T
        = chat_item_mentions
        20250126_mentions chat_item_mention_id:P chat_item_id:I group_id:I member_id:B
        20250126_mentions display_name:T
        = xftp_file_descriptions
        20230318_file_description file_descr_id:P user_id:I file_descr_text:T
        20230318_file_description file_descr_part_no:I file_descr_complete:I
        20230318_file_description created_at:T updated_at:T
        = extra_xftp_file_descriptions
        20230411_extra_xftp_file_descriptions extra_file_descr_id:P file_id:I
        20230411_extra_xftp_file_descriptions user_id:I file_descr_text:T
        20230411_extra_xftp_file_descriptions created_at:T updated_at:T
        = rcv_file_chunks
        20220101_initial file_id:I chunk_number:I chunk_agent_msg_id:I chunk_stored:I
        20220101_initial created_at:T updated_at:T
        """
}
